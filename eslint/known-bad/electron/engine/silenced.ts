/* eslint-disable studio/layers */
import type { App } from 'electron';

export type Name = App['name'];
