/** Every host name that the stage serves, by its role. */
export const HOSTS = {
  'google-meet': ['meet.google.com', 'www.meet.google.com'],
  'microsoft-teams': [
    'teams.microsoft.com',
    'teams.live.com',
    'teams.cloud.microsoft',
    'gov.teams.microsoft.us',
    'dod.teams.microsoft.us',
  ],
  'google-sign-in': ['accounts.google.com'],
  'google-workspace': ['workspace.google.com'],
  'google-cookies': ['consent.google.com'],
  'google-captcha': ['www.google.com'],
  'google-pictures': ['lh3.googleusercontent.com'],
  'microsoft-sign-in': ['login.microsoftonline.com', 'login.live.com', 'login.microsoft.com'],
  'microsoft-socket': ['go.trouter.teams.microsoft.com'],
} as const satisfies Record<string, readonly string[]>

export type HostRole = keyof typeof HOSTS

export const ALL_HOSTS: readonly string[] = Object.values(HOSTS).flat()

export function hostRoleOf(host: string): HostRole | undefined {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return (Object.keys(HOSTS) as HostRole[]).find((role) => {
    const names: readonly string[] = HOSTS[role]
    return names.includes(name)
  })
}

/**
 * Arguments with which Chromium reaches the stage. No other host name resolves, so a rehearsal never reaches the real
 * platforms. `.local` names still resolve, because WebRTC uses them for data channels.
 */
export function browserArguments(port: number, fingerprint: string): string[] {
  const rules = [
    ...ALL_HOSTS.map((host) => `MAP ${host} 127.0.0.1:${port}`),
    'MAP * ~NOTFOUND',
    'EXCLUDE *.local',
    'EXCLUDE localhost',
    'EXCLUDE 127.0.0.1',
  ]
  return [
    `--host-resolver-rules=${rules.join(', ')}`,
    `--ignore-certificate-errors-spki-list=${fingerprint}`,
    // Without a network, a data channel has no address except loopback.
    '--allow-loopback-in-peer-connection',
    // Both ends of the stage's data channels are in the page, and a bot's browser otherwise allows no UDP.
    '--force-webrtc-ip-handling-policy=default',
    '--webrtc-ip-handling-policy=default',
  ]
}
