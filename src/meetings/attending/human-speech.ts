import type { Caption } from '../../bots/platforms/platform.ts'
import { isNoteTaker } from './note-takers.ts'
import { cleanName, createSelfCheck } from '../sanitize/person-names.ts'
import { hasSpeech } from '../sanitize/text.ts'

/** Tells whether a caption shows that somebody is there: it says something, and neither we nor another bot do. */
export function createHumanSpeechCheck(ownName: string): (caption: Caption) => boolean {
  const isSelf = createSelfCheck([ownName])
  return ({ speaker, text }) => {
    const name = cleanName(speaker)
    return hasSpeech(text) && !isSelf(name) && !isNoteTaker(name)
  }
}
