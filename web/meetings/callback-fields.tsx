import { NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTokens } from '../account/queries.ts'
import { useFieldError, readFormText } from '../ui/forms/form.tsx'
import { TextLink } from '../ui/links.tsx'
import { INBOX_LISTENER } from './use-start-meeting.ts'

const RECEIVER_OPTIONS = [
  { value: 'nobody', label: 'Nobody: I only read along here' },
  { value: 'inbox', label: 'The inbox of this console, to see what a program would get' },
  { value: 'url', label: 'A callback URL' },
] as const

/** Who gets the events of the meeting beside the readers of this console. */
export function CallbackFields() {
  const [choice, setChoice] = useState('nobody')
  const problem = useFieldError('callbackUrl')
  return (
    <Stack gap="sm">
      <Radio.Group label="Send its events to" name="receiver" value={choice} onChange={setChoice}>
        <Stack gap={6} mt={4}>
          {RECEIVER_OPTIONS.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {choice === 'url' && (
        <TextInput
          name="callbackUrl"
          label="Callback URL"
          placeholder="https://example.com/hook"
          type="url"
          required
          withAsterisk={false}
          error={problem}
        />
      )}
      {choice !== 'nobody' && <SigningTokenField />}
    </Stack>
  )
}

/** The token whose secret signs the callbacks. */
export function SigningTokenField() {
  const { data } = useTokens()
  const problem = useFieldError('tokenId')
  const live = data?.tokens.filter(({ revokedAt }) => revokedAt === null) ?? []
  if (data && live.length === 0) {
    return (
      <Text size="sm" role="alert">
        Callbacks are signed with the secret of a token, and there is none yet.{' '}
        <TextLink to="/account" search={{ tab: 'tokens' }}>
          Make an API token
        </TextLink>{' '}
        first.
      </Text>
    )
  }
  return (
    <NativeSelect
      name="tokenId"
      label="Signed with the token"
      error={problem}
      data={live.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

export function readCallbackFields(values: FormData): { callbackUrl?: string; tokenId?: string } {
  const receiver = readFormText(values, 'receiver')
  if (receiver !== 'inbox' && receiver !== 'url') return {}
  const callbackUrl =
    receiver === 'inbox' ? `listen:${INBOX_LISTENER}` : readFormText(values, 'callbackUrl').trim()
  return { callbackUrl, tokenId: readFormText(values, 'tokenId') }
}
