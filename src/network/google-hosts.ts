/** The origins of Google's sign-in page, the token endpoint and the two APIs. No request to Google goes anywhere else. */
export type GoogleHosts = { accounts: string; oauth: string; meet: string; calendar: string }

/** As in the discovery documents of meet v2 and calendar v3, and for the page in that of OpenID Connect. */
export const GOOGLE_HOSTS: GoogleHosts = {
  accounts: 'https://accounts.google.com',
  oauth: 'https://oauth2.googleapis.com',
  meet: 'https://meet.googleapis.com',
  calendar: 'https://www.googleapis.com',
}
