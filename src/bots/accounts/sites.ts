import type { PlatformName } from '../platforms/platform.ts'

/** Platforms on which somebody can be signed in. */
export type AccountPlatform = Exclude<PlatformName, 'practice'>

type Site = {
  title: string
  /** Where a person signs in. */
  signInUrl: string
  /** What is kept of a browser: these domains and what is below them. */
  domains: readonly string[]
  /** Any of these cookies is there while somebody is signed in. */
  signInCookies: readonly string[]
}

export const SITES: Readonly<Record<AccountPlatform, Site>> = {
  google_meet: {
    title: 'Google Meet',
    signInUrl: 'https://accounts.google.com/ServiceLogin?continue=https://meet.google.com/',
    domains: ['google.com'],
    signInCookies: ['SID', '__Secure-1PSID', '__Secure-3PSID'],
  },
  microsoft_teams: {
    title: 'Microsoft Teams',
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
}
export const ACCOUNT_PLATFORMS = Object.keys(SITES) as [AccountPlatform, ...AccountPlatform[]]

export function isAccountPlatform(name: PlatformName): name is AccountPlatform {
  return Object.hasOwn(SITES, name)
}
