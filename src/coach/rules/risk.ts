import { createStatementRule } from './statement.ts'

const QUALIFIER =
  '(?:a|an|the|our|also|still|some|quite|really|big|bigger|biggest|main|real|serious|high|major|significant|huge|certain|security|legal|financial)'

/** Sentences that call a risk small, accepted or over. */
const DISMISSED =
  /\brisks?(?: [\w']+){0,3} (?:is|are|was|were|seems?|looks?)(?: [\w']+){0,2} (?:low|small|minimal|gone|zero|nil|acceptable|worth|mitigated|covered|negligible|limited|over)\b/i

/** A speaker names a risk. */
export const riskRule = createStatementRule({
  category: 'risk',
  title: 'Risk',
  verb: 'named a risk',
  hint: /\brisk/i,
  stated: [
    new RegExp(
      `\\b(?:there's|there is|there are|i see|we have|we run|(?:this|that|it) (?:poses|carries))(?: ${QUALIFIER}){0,4} risks?\\b`,
      'i',
    ),
    new RegExp(
      `\\b(?:that|this|it|which|these|those)(?:'s| is| are)(?: ${QUALIFIER}){1,4} risks?\\b`,
      'i',
    ),
    /\b(?:the|our|my|one|another)(?: (?:main|biggest|only|real|other|big|key|greatest)){0,2} risk(?: here| there| for (?:us|me))?(?: is|:) /i,
    /\b(?:is|are|puts?|putting)(?: (?!not\b|no\b|never\b|nothing\b)[\w']+){0,4} at risk\b/i,
    /\b(?:that|this|it|which)(?:'s| is)(?: (?:too|very|quite|pretty|rather|really)){0,2} risky\b/i,
    /\bwe(?:'re| are)? risk(?:ing)? [a-z]{2,20}ing\b/i,
  ],
  isExcluded: (sentence) => DISMISSED.test(sentence),
})
