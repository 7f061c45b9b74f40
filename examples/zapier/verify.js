// The code of a step “Code by Zapier → Run JavaScript” after a trigger “Webhooks by Zapier → Catch Raw Hook”. Zapier
// provides `inputData`, `output` and `require`. Input data of the step:
//   body       Raw Body of the trigger
//   signature  Headers → X-Service-Signature of the trigger
//   secret     the signing secret, ss_…; during a rotation both, separated by a space
const { createHmac, timingSafeEqual } = require('crypto')

const { body = '', signature = '', secret = '' } = inputData

function isSignedWith(key) {
  const expected = Buffer.from(`sha256=${createHmac('sha256', key).update(body).digest('hex')}`)
  const actual = Buffer.from(signature)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

const secrets = secret.split(' ').filter((key) => key !== '')
// An error stops the Zap here, so the later steps run only for callbacks of your service.
if (secrets.length === 0) throw new Error('The field "secret" of this step is empty')
if (!secrets.some(isSignedWith))
  throw new Error('The signature does not match this body and secret')

const { type, meetingId, sequence, timestamp, payload } = JSON.parse(body)
output = {
  // The same for every attempt. Use it to find out whether a step has already run for this event.
  key: `${meetingId}_${sequence}`,
  type,
  meetingId,
  sequence,
  timestamp,
  // Fields that this type of event does not have are empty.
  status: payload.status ?? '',
  speaker: payload.speaker ?? '',
  text: payload.text ?? (payload.summary ?? []).join(' '),
  payload: JSON.stringify(payload),
}
