import type * as receiver from './index.js' with { 'resolution-mode': 'import' }

export type * from './index.js' with { 'resolution-mode': 'import' }
export declare const CALLBACK_ERRORS: typeof receiver.CALLBACK_ERRORS
export declare const CallbackError: typeof receiver.CallbackError
export type CallbackError = receiver.CallbackError
export declare const sign: typeof receiver.sign
export declare const verifyCallback: typeof receiver.verifyCallback
