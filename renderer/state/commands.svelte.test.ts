import { describe, expect, it } from 'vitest';
import { commandIds, keysOf } from '#shared/commands.ts';
import type { CommandContext, CommandId } from '#shared/commands.ts';
import { keyProblem } from '#shared/keys.ts';
import type { Keyboard } from '#shared/keys.ts';
import { Commands } from './commands.svelte.ts';
import type { CommandAction } from './commands.svelte.ts';
import { Keymap } from './keymap.svelte.ts';

const always = () => true;
const contexts: Record<CommandContext, () => boolean> = {
  ...{ always, workspace: always, tab: always, text: always, lens: always, running: always },
};

function rig(
  keyboard: Keyboard,
  { absent, finishTyping }: { absent?: CommandContext; finishTyping?: () => Promise<void> | undefined } = {},
) {
  const ran: CommandId[] = [];
  let chosen: Record<string, string | null> = {};
  const action = (id: CommandId): CommandAction => ({ run: () => void ran.push(id) });
  const actions = Object.fromEntries(commandIds.map((id) => [id, action(id)])) as Record<
    CommandId,
    CommandAction
  >;
  const keymap = new Keymap({
    keyboard: () => keyboard,
    chosen: () => chosen,
    choose: (next) => Promise.resolve(void (chosen = next)),
  });
  const present = { ...contexts, ...(absent && { [absent]: () => false }) };
  return {
    commands: new Commands({ actions, contexts: present, keymap, ...(finishTyping && { finishTyping }) }),
    keymap,
    ran,
    chosen: () => chosen,
  };
}

function press(keys: string, key: string, code = '') {
  return {
    ...{ key, code },
    ctrlKey: keys.includes('C'),
    metaKey: keys.includes('M'),
    shiftKey: keys.includes('S'),
    altKey: keys.includes('A'),
  };
}

const linux: Keyboard = { host: 'desktop', isMac: false };

describe('Commands', () => {
  it('gives no two commands one key in each kind of host, and only keys that arrive there', () => {
    for (const host of ['desktop', 'browser'] as const) {
      const keys = commandIds.flatMap((id) => keysOf(id, host));
      expect(new Set(keys).size).toBe(keys.length);
      const first = commandIds.flatMap((id) => keysOf(id, host).slice(0, 1));
      expect(first.filter((key) => keyProblem(key, { host, isMac: false }) !== undefined)).toEqual([]);
    }
  });

  it('run() waits for what a field still has to write, and not at all where there is nothing', async () => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let typing: Promise<void> | undefined = gate;
    const { commands, ran } = rig(linux, { finishTyping: () => typing });
    const saving = commands.run('file.save');
    expect(ran).toEqual([]);
    open();
    await saving;
    typing = undefined;
    void commands.run('file.close');
    expect(ran).toEqual(['file.save', 'file.close']);
  });

  it('finds the command of a key press, also where Alt or Shift changes the letter', () => {
    const { commands } = rig(linux);
    expect([
      commands.forKey(press('C', 's', 'KeyS')),
      commands.forKey(press('CS', 'P', 'KeyP')),
      commands.forKey(press('C', 'p', 'KeyP')),
      commands.forKey(press('A', '¡', 'Digit1')),
      commands.forKey(press('', 's', 'KeyS')),
      commands.forKey(press('M', 's', 'KeyS')),
    ]).toEqual(['file.save', 'view.palette', 'view.quick-open', 'view.graph', undefined, undefined]);
  });

  it('uses Cmd on macOS and leaves the browser its own keys', () => {
    const mac = rig({ host: 'desktop', isMac: true }).commands;
    const browser = rig({ host: 'browser', isMac: false }).commands;
    expect([
      mac.forKey(press('M', 's', 'KeyS')),
      mac.keyLabel('view.palette'),
      browser.forKey(press('C', 'w', 'KeyW')),
      browser.keyLabel('file.close'),
    ]).toEqual(['file.save', ['⌘', '⇧', 'P'], undefined, ['Alt', 'Shift', 'W']]);
  });

  it('neither offers nor runs a command that cannot run now', async () => {
    const { commands, ran } = rig(linux, { absent: 'tab' });
    await commands.run('file.save');
    await commands.run('view.plan');
    expect([ran, commands.enabled().includes('file.save'), commands.forKey(press('C', 's'))]).toEqual([
      ['view.plan'],
      false,
      undefined,
    ]);
  });

  it('takes a letter for a letter while one types', () => {
    const { commands } = rig(linux);
    const question = press('S', '?');
    expect([
      commands.forKey(question),
      commands.forKey(question, true),
      commands.forKey(press('C', 's'), true),
    ]).toEqual(['help.shortcuts', undefined, 'file.save']);
  });
});

describe('Keymap', () => {
  it('gives a command another key, takes it from the one that had it, and gives both back', async () => {
    const { commands, keymap, chosen } = rig(linux);
    const keys = () => [commands.keyLabel('view.plan'), commands.keyLabel('view.run')];
    expect(keymap.holdersOf('Alt+4', 'view.plan')).toEqual(['view.run']);
    await keymap.bind('view.plan', 'Alt+4');
    expect([keys(), commands.forKey(press('A', '4', 'Digit4')), chosen()]).toEqual([
      ...[[['Alt', '4'], []], 'view.plan'],
      { 'view.plan': 'Alt+4', 'view.run': null },
    ]);
    await keymap.reset('view.run');
    expect([keys(), keymap.isChanged('view.run')]).toEqual([[[], ['Alt', '4']], false]);
    await keymap.resetAll();
    expect([keys(), keymap.hasChanges]).toEqual([
      [
        ['Alt', '3'],
        ['Alt', '4'],
      ],
      false,
    ]);
  });

  it('sees that two writings of a key are one', async () => {
    const { keymap } = rig(linux);
    expect(keymap.holdersOf('Mod+Tab', 'file.save')).toEqual(['file.next-tab']);
    await keymap.unbind('file.next-tab');
    expect([keymap.holdersOf('Mod+Tab', 'file.save'), keymap.keysOf('file.next-tab')]).toEqual([[], []]);
  });

  it('records what is pressed, and binds only what can be bound', async () => {
    const { keymap, chosen } = rig(linux);
    keymap.record('view.cache');
    expect([keymap.take(press('C', 'Control')), keymap.take(press('', 'Tab'))]).toEqual([false, false]);
    expect([keymap.take(press('', 'k', 'KeyK')), keymap.recording]).toEqual([
      true,
      { id: 'view.cache', key: 'K' },
    ]);
    await keymap.accept();
    expect([chosen(), keymap.recording?.id]).toEqual([{}, 'view.cache']);
    keymap.take(press('CS', 'K', 'KeyK'));
    await keymap.accept();
    expect([chosen(), keymap.recording]).toEqual([{ 'view.cache': 'Mod+Shift+K' }, undefined]);
  });
});
