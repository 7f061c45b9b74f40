/** Media query for phones, where dialogs fill the screen. */
export const PHONE_MEDIA_QUERY = '(max-width: 40em)'
/** Media query for narrow screens, where tables are shown as lists of cards. */
export const NARROW_SCREEN_MEDIA_QUERY = '(max-width: 62em)'
