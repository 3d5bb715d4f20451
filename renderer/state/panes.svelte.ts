export type PaneName = 'explorer' | 'inspector' | 'problems';

/** Which panes beside the document are open. */
export class Panes {
  #open = $state.raw<ReadonlySet<PaneName>>(new Set<PaneName>(['explorer', 'inspector']));

  isOpen(pane: PaneName): boolean {
    return this.#open.has(pane);
  }

  toggle(pane: PaneName): void {
    const open = new Set(this.#open);
    if (!open.delete(pane)) open.add(pane);
    this.#open = open;
  }

  show(pane: PaneName): void {
    if (!this.isOpen(pane)) this.toggle(pane);
  }
}
