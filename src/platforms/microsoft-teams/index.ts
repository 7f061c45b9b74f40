import { unattended } from '../unattended.ts'
import type { Platform } from '../platform.ts'
import { recogniseMicrosoftTeams } from './url.ts'

export function createMicrosoftTeams(): Platform {
  return {
    name: 'microsoft_teams',
    title: 'Microsoft Teams',
    shapes: [
      'https://teams.microsoft.com/meet/<id>?p=<passcode>',
      'https://teams.live.com/meet/<id>?p=<passcode>',
      'https://teams.microsoft.com/l/meetup-join/…',
    ],
    recognise: recogniseMicrosoftTeams,
    attend: () => unattended('Microsoft Teams'),
  }
}
