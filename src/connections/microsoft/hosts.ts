import type { MicrosoftCloud } from '../connection.ts'

/** The origins of the token endpoint and of Microsoft Graph. No request of a connection goes anywhere else. */
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
