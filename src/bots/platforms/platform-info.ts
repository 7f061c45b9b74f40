import type { PlatformName } from './platform.ts'

/** Where people sign in to a platform, and which part of their browser's state belongs to it. */
export type AccountSite = {
  signInUrl: string
  /** Cookies and storage of these domains and their subdomains are stored; everything else is dropped. */
  domains: readonly string[]
  /** At least one of these cookies exists while an account is signed in. */
  signInCookies: readonly string[]
}

/** A hint for a rejected link to these hosts or their subdomains. If given, `containedText` must be in the link. */
export type RejectedLinkHint = { hosts: readonly string[]; containedText?: string; hint: string }

/** The hosts of Microsoft Teams, without their subdomains. */
export const TEAMS_HOSTS: readonly string[] = [
  'teams.microsoft.com',
  'teams.live.com',
  'teams.cloud.microsoft',
  'teams.microsoft.us',
]

/** The hosts of Zoom, without their subdomains: an organization has its own, such as `acme.zoom.us`. */
export const ZOOM_HOSTS: readonly string[] = ['zoom.us', 'zoom.com']

/** The data of one platform. This file has no platform code, so every folder may import it. */
type PlatformInfo = {
  /** Shown to people, such as `Google Meet`. */
  title: string
  /** Shapes of meeting links, for the hint when a link is rejected. */
  linkExamples: readonly string[]
  /** The host of the website that bots must reach; null for a platform without one. */
  siteHost: string | null
  /** True if the bot attends in a browser page. The registry then has the page model. */
  meetsInPage: boolean
  /** False if bots always recognize speech, because the platform has no captions. */
  hasCaptions: boolean
  /** Hints for links to the platform's hosts that do not name a meeting. The first match is used. */
  wrongLinks: readonly RejectedLinkHint[]
  /** Where bot accounts sign in; null for a platform without sign-in. */
  accountSite: AccountSite | null
  /** The name and the links for rehearsals; null for a platform that the rehearsal stage does not simulate. */
  rehearsal: {
    /** The name on the command line, and the prefix of stage scripts. */
    cliName: string
    /** Meetings that no stage script uses: one with captions on the wire, one with captions only on the page. */
    links: { wire: string; page: string }
  } | null
}

/** Each platform needs a row here and one in registry.ts. */
export const PLATFORM_INFO = {
  google_meet: {
    title: 'Google Meet',
    siteHost: 'meet.google.com',
    linkExamples: ['https://meet.google.com/abc-defg-hij'],
    meetsInPage: true,
    hasCaptions: true,
    wrongLinks: [
      {
        hosts: ['meet.google.com'],
        hint: 'This Google Meet link does not name a meeting. A meeting link ends in a code like abc-defg-hij',
      },
    ],
    accountSite: {
      signInUrl: 'https://accounts.google.com/ServiceLogin?continue=https://meet.google.com/',
      domains: ['google.com'],
      signInCookies: ['SID', '__Secure-1PSID', '__Secure-3PSID'],
    },
    rehearsal: {
      cliName: 'meet',
      links: {
        wire: 'https://meet.google.com/reh-wire-one',
        page: 'https://meet.google.com/reh-page-one',
      },
    },
  },
  microsoft_teams: {
    title: 'Microsoft Teams',
    siteHost: 'teams.microsoft.com',
    linkExamples: [
      'https://teams.microsoft.com/meet/<id>?p=<passcode>',
      'https://teams.live.com/meet/<id>?p=<passcode>',
      'https://teams.microsoft.com/l/meetup-join/…',
    ],
    meetsInPage: true,
    hasCaptions: true,
    wrongLinks: [
      {
        hosts: TEAMS_HOSTS,
        containedText: '/l/meetup-join/',
        hint: 'This Teams link is incomplete. Copy the whole link, with everything after ?context=',
      },
      {
        hosts: TEAMS_HOSTS,
        containedText: '/light-meetings/',
        hint: 'This Teams link is incomplete. Copy the whole link, with everything after ?coords=',
      },
      {
        hosts: TEAMS_HOSTS,
        containedText: '/meet/',
        hint: 'This Teams link is incomplete. A number of 10 to 15 digits follows /meet/, and often a passcode: ?p=…',
      },
      {
        hosts: TEAMS_HOSTS,
        hint: 'This Teams link does not name a meeting. Copy the link that the invitation calls “Join the meeting now”',
      },
    ],
    accountSite: {
      signInUrl: 'https://teams.microsoft.com/v2/',
      domains: [
        'microsoft.com',
        'microsoftonline.com',
        'microsoftonline.us',
        'microsoft.us',
        'cloud.microsoft',
        'live.com',
        'office.com',
        'skype.com',
      ],
      signInCookies: ['ESTSAUTH', 'ESTSAUTHPERSISTENT', '__Host-MSAAUTH', '__Host-MSAAUTHP'],
    },
    rehearsal: {
      cliName: 'teams',
      links: {
        wire: 'https://teams.microsoft.com/meet/2000000000098?p=stage',
        page: 'https://teams.microsoft.com/meet/2000000000099?p=stage',
      },
    },
  },
  galene: {
    title: 'Galène',
    // Operators run their own servers.
    siteHost: null,
    linkExamples: ['https://<host>/group/<name>/'],
    meetsInPage: false,
    hasCaptions: false,
    wrongLinks: [],
    accountSite: null,
    rehearsal: null,
  },
  livekit: {
    title: 'LiveKit',
    siteHost: null,
    linkExamples: ['https://<host>/rooms/<name>', 'https://<host>/abc-defg-hij'],
    meetsInPage: false,
    hasCaptions: false,
    wrongLinks: [],
    accountSite: null,
    rehearsal: null,
  },
  zoom: {
    title: 'Zoom',
    // Bots open no page of Zoom. The addresses of streams come from Zoom itself.
    siteHost: null,
    linkExamples: ['https://zoom.us/j/<meeting number>'],
    meetsInPage: false,
    hasCaptions: true,
    wrongLinks: [
      {
        hosts: ZOOM_HOSTS,
        containedText: '/my/',
        hint: 'A personal Zoom link does not contain the number of the meeting. Copy the invitation link of the meeting, with /j/ and the number',
      },
      {
        hosts: ZOOM_HOSTS,
        hint: 'If this is a Zoom meeting link with /j/ and its number, ask an administrator to set up the Zoom app (HANSARD_ZOOM_CLIENT_ID)',
      },
      {
        hosts: ['zoomgov.com'],
        hint: 'Zoom for Government is not supported',
      },
    ],
    accountSite: null,
    rehearsal: null,
  },
  practice: {
    title: 'Practice meeting',
    siteHost: null,
    linkExamples: ['practice://standup', 'practice://<script>?speed=N'],
    meetsInPage: false,
    hasCaptions: true,
    wrongLinks: [],
    accountSite: null,
    rehearsal: null,
  },
} as const satisfies Record<PlatformName, PlatformInfo>

type NamesWhere<Field extends keyof PlatformInfo, Value> = {
  [Name in PlatformName]: (typeof PLATFORM_INFO)[Name][Field] extends Value ? Name : never
}[PlatformName]

/** Platforms whose meetings the bot attends in a browser page. */
export type PagePlatformName = NamesWhere<'meetsInPage', true>
/** Platforms on which a bot account can be signed in. */
export type AccountPlatformName = NamesWhere<'accountSite', AccountSite>
/** Platforms that the rehearsal stage simulates. */
export type RehearsalPlatformName = NamesWhere<'rehearsal', object>
