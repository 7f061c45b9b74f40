import type { Browser } from 'playwright-core'
import { openBrowser } from '../../support/browser/open-browser.ts'

/** A browser whose microphone plays a WAV file once. */
export function openSpeakingBrowser(file: string): Promise<Browser> {
  return openBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${file}%noloop`,
    '--autoplay-policy=no-user-gesture-required',
  ])
}
