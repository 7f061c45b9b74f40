/** For phones, where dialogs with fields fill the screen. */
export const PHONE_MEDIA_QUERY = '(max-width: 40em)'
/** For screens with a bar at the bottom in place of the side bar, as in layout.css. */
export const BOTTOM_BAR_MEDIA_QUERY = '(max-width: 48em)'
/** For screens without enough space for a table beside the side bar, where tables become lists of cards. */
export const TABLE_AS_CARDS_MEDIA_QUERY = '(max-width: 56em)'
/** For narrow screens, where the files of a project are above the document. */
export const NARROW_SCREEN_MEDIA_QUERY = '(max-width: 62em)'
/** For screens where the home page has two columns, as in home.css. */
export const HOME_TWO_COLUMNS_MEDIA_QUERY = '(min-width: 75em)'
/** For screens where a meeting's side panel is a sheet, as in meeting.css. */
export const MEETING_SINGLE_COLUMN_MEDIA_QUERY = '(max-width: 75em)'
