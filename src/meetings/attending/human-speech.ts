import type { Caption } from '../../bots/platforms/platform.ts'
import { isNoteTaker } from './note-takers.ts'
import { cleanName, createSelfCheck } from '../sanitize/person-names.ts'
import { hasSpeech } from '../sanitize/text.ts'

/** The check is true for a caption with words that were spoken neither by this bot nor by a note-taker bot. */
export function createHumanSpeechCheck(ownName: string): (caption: Caption) => boolean {
  const isSelf = createSelfCheck([ownName])
  return ({ speaker, text }) => {
    const name = cleanName(speaker)
    return hasSpeech(text) && !isSelf(name) && !isNoteTaker(name)
  }
}
