/** One line of a menu; `isOn` makes it a choice that is on or off, `isChosen` one of several of which one counts. */
export interface MenuAction {
  readonly title: string;
  /** Its keys as this system names them. */
  readonly key?: string;
  readonly isOn?: boolean;
  readonly isChosen?: boolean;
  readonly choose: () => void;
}

/** The lines of a menu, those together that belong together. */
export type MenuGroups = readonly (readonly MenuAction[])[];
