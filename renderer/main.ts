import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import '#renderer/ui/theme.css';
import '#renderer/ui/base.css';
import { mount } from 'svelte';
import { connect } from '#renderer/client/connect.ts';
import { systemClock } from '#renderer/state/clock.ts';
import { Studio } from '#renderer/state/studio.svelte.ts';
import App from './App.svelte';

const target = document.querySelector('#studio');
if (!target) throw new Error('The page has no element for the studio');

const studio = new Studio({
  connect: () => connect({ isDevelopment: import.meta.env.DEV }),
  clock: systemClock,
});
// Benchmarks drive the page from outside; without the flag nothing of it is in reach.
if (new URLSearchParams(location.search).has('measure'))
  Object.assign(globalThis, { measuredStudio: studio });
mount(App, { target, props: { studio } });
void studio.start();
