export type PaneName = 'explorer' | 'inspector' | 'panel' | 'outline';

export const panelTabs = ['problems', 'plan', 'run', 'timeline', 'changes', 'verdicts', 'tests'] as const;
export type PanelTab = (typeof panelTabs)[number];

/** Which panes beside the document are open, and what the one below it shows. */
export class Panes {
  #open = $state.raw<ReadonlySet<PaneName>>(new Set<PaneName>(['explorer', 'inspector', 'panel', 'outline']));
  #panelTab = $state.raw<PanelTab>('plan');
  #wantsFocus = $state.raw<PaneName>();

  get panelTab(): PanelTab {
    return this.#panelTab;
  }

  /** The pane that a command brought up for its keys. */
  get wantsFocus(): PaneName | undefined {
    return this.#wantsFocus;
  }

  focusTaken(): void {
    this.#wantsFocus = undefined;
  }

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

  /** Opens a pane for its keys; the outline stands below the explorer. */
  bringUp(pane: PaneName): void {
    if (pane === 'outline') this.show('explorer');
    this.show(pane);
    this.#wantsFocus = pane;
  }

  showPanel(tab: PanelTab): void {
    this.#panelTab = tab;
    this.show('panel');
  }

  /** Brings a tab of the panel up, or hides the panel where it is up already. */
  togglePanel(tab: PanelTab): void {
    if (this.isOpen('panel') && this.#panelTab === tab) this.toggle('panel');
    else this.showPanel(tab);
  }
}
