/** Jest's global tear-down. */
export { forgetServiceDocument as default } from './service-document.js';
