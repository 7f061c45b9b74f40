import type { Caption } from '../../bots/platforms/platform.ts'
import { isNoteTaker } from './note-takers.ts'
import { cleanName, createOwnBotNameCheck } from '../sanitize/person-names.ts'
import { hasMoreThanPunctuation } from '../sanitize/text.ts'

/** Returns a check that is true for a caption with words that neither this bot nor a note-taker bot has spoken. */
export function createHumanSpeechCheck(ownName: string): (caption: Caption) => boolean {
  const isSelf = createOwnBotNameCheck([ownName])
  return ({ speaker, text, isOtherParticipant = false }) => {
    const name = cleanName(speaker)
    const isOwn = isSelf(name) && !isOtherParticipant
    return hasMoreThanPunctuation(text) && !isOwn && !isNoteTaker(name)
  }
}
