import {
  PLATFORM_INFO,
  type AccountPlatformName,
  type AccountSite,
} from '../platforms/platform-info.ts'
import { PLATFORM_NAMES, type PlatformName } from '../platforms/platform.ts'

export type { AccountPlatformName }

/** Platforms on which a bot account can be signed in. */
export const ACCOUNT_PLATFORMS = PLATFORM_NAMES.filter(isAccountPlatform) as [
  AccountPlatformName,
  ...AccountPlatformName[],
]

export function isAccountPlatform(name: PlatformName): name is AccountPlatformName {
  return PLATFORM_INFO[name].accountSite !== null
}

/** The sign-in site and the title of each platform that has bot accounts. */
export const SIGN_IN_SITE_BY_PLATFORM = Object.fromEntries<AccountSite & { title: string }>(
  ACCOUNT_PLATFORMS.map((name) => {
    const { accountSite, title } = PLATFORM_INFO[name]
    return [name, { ...accountSite, title }]
  }),
) as Readonly<Record<AccountPlatformName, AccountSite & { title: string }>>
