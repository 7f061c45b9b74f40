/** Below this width tables become lists and dialogs fill the screen. */
export const PHONE = '(max-width: 40em)'
export const NARROW = '(max-width: 62em)'
