import { unattended } from '../unattended.ts'
import type { Platform } from '../platform.ts'
import { recogniseGoogleMeet } from './url.ts'

export function createGoogleMeet(): Platform {
  return {
    name: 'google_meet',
    title: 'Google Meet',
    shapes: ['https://meet.google.com/abc-defg-hij'],
    recognise: recogniseGoogleMeet,
    attend: () => unattended('Google Meet'),
  }
}
