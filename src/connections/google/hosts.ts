/** The origins of the token endpoint and of the two APIs. No request of a connection goes anywhere else. */
export type GoogleHosts = { oauth: string; meet: string; calendar: string }

/** As in the discovery documents of meet v2 and calendar v3. */
export const GOOGLE_HOSTS: GoogleHosts = {
  oauth: 'https://oauth2.googleapis.com',
  meet: 'https://meet.googleapis.com',
  calendar: 'https://www.googleapis.com',
}
