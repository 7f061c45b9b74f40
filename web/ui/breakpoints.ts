/** Below this width dialogs fill the screen. */
export const PHONE = '(max-width: 40em)'
/** Below this width tables are shown as lists of cards. */
export const NARROW = '(max-width: 62em)'
