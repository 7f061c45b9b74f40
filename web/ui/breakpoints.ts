/** Media query for phones, where dialogs with fields fill the screen. */
export const PHONE_MEDIA_QUERY = '(max-width: 40em)'
/** Media query for screens with a bar at the bottom in place of the side bar, as in layout.css. */
export const BOTTOM_BAR_MEDIA_QUERY = '(max-width: 48em)'
/** Media query for screens on which a table beside the side bar has no room, so that tables are lists of cards. */
export const TABLE_AS_CARDS_MEDIA_QUERY = '(max-width: 56em)'
/** Media query for narrow screens, where the files of a project are above the document. */
export const NARROW_SCREEN_MEDIA_QUERY = '(max-width: 62em)'
/** Media query for screens on which the home page has two columns, as in home.css. */
export const HOME_TWO_COLUMNS_MEDIA_QUERY = '(min-width: 75em)'
/** Media query for screens where the side panel of a meeting is a sheet, as in meeting.css. */
export const MEETING_SINGLE_COLUMN_MEDIA_QUERY = '(max-width: 75em)'
