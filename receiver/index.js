// The code is in index.cjs, so that projects of both module systems can use this folder.
export { CALLBACK_ERRORS, CallbackError, sign, verifyCallback } from './index.cjs'
