import { lintConfig } from '../../eslint.config.mjs';

export default lintConfig(import.meta.dirname);
