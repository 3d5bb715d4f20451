export { size } from '#widgets/size.ts';
