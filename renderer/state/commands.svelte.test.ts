import { describe, expect, it } from 'vitest';
import { commandIds, keyOf } from '#shared/commands.ts';
import type { CommandId } from '#shared/commands.ts';
import { Commands } from './commands.svelte.ts';
import type { CommandAction, Keyboard } from './commands.svelte.ts';

function rig(keyboard: Keyboard, disabled: CommandId[] = []) {
  const ran: CommandId[] = [];
  const action = (id: CommandId): CommandAction => ({
    run: () => void ran.push(id),
    isEnabled: () => !disabled.includes(id),
  });
  const actions = Object.fromEntries(commandIds.map((id) => [id, action(id)])) as Record<
    CommandId,
    CommandAction
  >;
  return { commands: new Commands(actions, () => keyboard), ran };
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
  it('has one command per key in each kind of host', () => {
    for (const host of ['desktop', 'browser'] as const) {
      const keys = commandIds.flatMap((id) => keyOf(id, host) ?? []);
      expect(new Set(keys).size).toBe(keys.length);
    }
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
    const { commands, ran } = rig(linux, ['file.save']);
    await commands.run('file.save');
    await commands.run('file.close');
    expect([ran, commands.enabled().includes('file.save'), commands.forKey(press('C', 's'))]).toEqual([
      ['file.close'],
      false,
      undefined,
    ]);
  });
});
