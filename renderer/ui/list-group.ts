/** One line of a list that can be searched. */
export interface ListRow {
  readonly id: string;
  readonly name: string;
  /** What is said of it when the mouse rests on it. */
  readonly hint: string | undefined;
  /** It is listed, but has no effect. */
  readonly isDim?: boolean;
}

/** Lines that stand below one heading. */
export interface ListGroup<Row extends ListRow> {
  readonly title: string;
  readonly rows: readonly Row[];
}
