/** Microsoft's clouds that offer Microsoft Graph. `global` includes GCC. */
export const MICROSOFT_CLOUDS = ['global', 'us-gov-high', 'us-gov-dod'] as const
export type MicrosoftCloud = (typeof MICROSOFT_CLOUDS)[number]

/** The origins of the sign-in and of Microsoft Graph. No request to Microsoft goes anywhere else. */
export type MicrosoftHosts = { login: string; graph: string }

export type MicrosoftHostsByCloud = Readonly<Record<MicrosoftCloud, MicrosoftHosts>>

/** As documented in microsoft-graph-docs, concepts/deployments.md. */
export const MICROSOFT_HOSTS: MicrosoftHostsByCloud = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  'us-gov-high': { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  'us-gov-dod': {
    login: 'https://login.microsoftonline.us',
    graph: 'https://dod-graph.microsoft.us',
  },
}
