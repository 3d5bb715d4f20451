export { start } from '../desktop/main.ts';
