import { app } from 'electron';

export const name = app.name;
export const later = import('electron/main');
