/** Media query for phones, where dialogs fill the screen. */
export const PHONE_MEDIA_QUERY = '(max-width: 40em)'
/** Media query for narrow screens, where tables are shown as lists of cards. */
export const NARROW_SCREEN_MEDIA_QUERY = '(max-width: 62em)'
/** Media query for screens where the side panel of a meeting is below the transcript, as in meeting.css. */
export const MEETING_SINGLE_COLUMN_MEDIA_QUERY = '(max-width: 75em)'
