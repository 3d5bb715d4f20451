/** One thing to choose from a list. */
export interface PickItem {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  /** The heading that it stands below. */
  readonly group: string;
}
