import { Button, Code, Group, List, Stack, Text } from '@mantine/core'
import type { WireToken } from '../../../src/http/shapes/account.ts'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { Time, useNowEvery30Seconds } from '../../ui/format/time.tsx'
import type { Action } from '../../ui/forms/use-action.ts'
import { isOldSecretValid } from './rotation-state.ts'

interface StartRotationStepProps {
  token: WireToken
  action: Action<[]>
  onClose: () => void
}

export function StartRotationStep({ token, action, onClose }: StartRotationStepProps) {
  return (
    <Stack gap="md">
      <Text>
        This replaces the signing secret that your receivers use to check callbacks. The API key of
        this token stays the same, and programs that use it keep working. To replace the API key,
        create a new token and revoke this one.
      </Text>
      <Text>Rotation takes two steps, so that your receivers never reject a callback:</Text>
      <List type="ordered" spacing="xs">
        <List.Item>
          Create the next secret and add it to your receivers next to the current one. From then on,{' '}
          <Code>webhook-signature</Code> is valid with both.
        </List.Item>
        <List.Item>
          Activate it. From then on, <Code>X-Service-Signature</Code> uses it too, and{' '}
          <Code>webhook-signature</Code> still includes the old secret for 24 hours.
        </List.Item>
      </List>
      <Text>
        If you skip the second step, the next secret is activated automatically after 24 hours.
      </Text>
      <OldSecretNote token={token} />
      {action.error ? <ErrorBox error={action.error} /> : null}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={action.isRunning} onClick={() => void action.run()} data-autofocus>
          Create next secret
        </Button>
      </Group>
    </Stack>
  )
}

interface PendingSecretStepProps {
  token: WireToken
  action: { isRunning: boolean; error: unknown }
  onActivate: () => void
  onCancel: () => void
  onClose: () => void
}

export function PendingSecretStep(props: PendingSecretStepProps) {
  const { token, action, onActivate, onCancel, onClose } = props
  return (
    <Stack gap="md">
      <Text>
        The next secret was created{' '}
        {token.nextSecretSince && <Time at={token.nextSecretSince} show="ago" />}. Activate it once
        your receivers accept it. It is activated automatically{' '}
        {token.nextSecretDue && <Time at={token.nextSecretDue} show="relative" />}.
      </Text>
      <Text>
        If you lost the next secret, cancel the rotation and start again. The current secret stays
        valid. The API key does not change.
      </Text>
      <OldSecretNote token={token} />
      {action.error ? <ErrorBox error={action.error} /> : null}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
        <Button variant="default" onClick={onCancel} disabled={action.isRunning}>
          Cancel rotation
        </Button>
        <Button onClick={onActivate} loading={action.isRunning}>
          Activate
        </Button>
      </Group>
    </Stack>
  )
}

/** Warns that activating another secret ends the previous one, because only one old secret stays valid. */
function OldSecretNote({ token }: { token: WireToken }) {
  const now = useNowEvery30Seconds()
  const until = token.oldSecretUntil
  if (until === null || !isOldSecretValid(token, now)) return null
  return (
    <Text>
      The previous secret is valid until <Time at={until} show="minute" />. Activating another
      secret makes it invalid.
    </Text>
  )
}
