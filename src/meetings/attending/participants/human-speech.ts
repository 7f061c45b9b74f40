import type { Caption } from '../../../bots/platforms/platform.ts'
import { isNoteTakerBotName } from './note-takers.ts'
import { cleanParticipantName, createOwnBotNameCheck } from '../../sanitize/person-names.ts'
import { hasMoreThanPunctuation } from '../../sanitize/text.ts'

/** Returns a check that is true for a caption with words that neither this bot nor a note-taker bot has spoken. */
export function createHumanSpeechCheck(botName: string): (caption: Caption) => boolean {
  const isSelf = createOwnBotNameCheck([botName])
  return ({ speaker, text, isOtherParticipant = false }) => {
    const name = cleanParticipantName(speaker)
    const isOwn = isSelf(name) && !isOtherParticipant
    return hasMoreThanPunctuation(text) && !isOwn && !isNoteTakerBotName(name)
  }
}
