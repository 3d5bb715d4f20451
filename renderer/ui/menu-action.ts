/** One line of a menu; `isOn` makes it a choice that is on or off. */
export interface MenuAction {
  readonly title: string;
  /** Its keys as this system names them. */
  readonly key?: string;
  readonly isOn?: boolean;
  readonly choose: () => void;
}

/** The lines of a menu, those together that belong together. */
export type MenuGroups = readonly (readonly MenuAction[])[];
