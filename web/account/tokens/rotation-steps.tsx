import { Button, Code, Group, List, Stack, Text } from '@mantine/core'
import type { WireToken } from '../../../src/http/shapes/account.ts'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { Time, useNow } from '../../ui/format/time.tsx'
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
      <Text>Two steps, so that your receivers never have to refuse a callback:</Text>
      <List type="ordered" spacing="xs">
        <List.Item>
          Make the next secret, and give it to your receivers beside the present one. From then on{' '}
          <Code>webhook-signature</Code> is right under both.
        </List.Item>
        <List.Item>
          Activate it. Now <Code>X-Service-Signature</Code> is made with it too, and the old secret
          stays in <Code>webhook-signature</Code> for 24 hours.
        </List.Item>
      </List>
      <Text>Without the second step it activates itself 24 hours after the first.</Text>
      <OldSecretNote token={token} />
      {action.error ? <ErrorBox error={action.error} /> : null}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={action.isRunning} onClick={() => void action.run()} data-autofocus>
          Make next secret
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
        The next secret was made{' '}
        {token.nextSecretSince && <RelativeTime at={token.nextSecretSince} />}. Activate it once
        your receivers accept it; {token.nextSecretDue && <RelativeTime at={token.nextSecretDue} />}{' '}
        it activates itself.
      </Text>
      <Text>
        If it got lost, cancel the rotation and make another one. The present secret goes on as
        before.
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

/** Only one old secret is kept. */
function OldSecretNote({ token }: { token: WireToken }) {
  const now = useNow()
  const until = token.oldSecretUntil
  if (until === null || !isOldSecretValid(token, now)) return null
  return (
    <Text>
      The secret before is valid until <Time at={until} show="minute" />. Activating another one
      ends it.
    </Text>
  )
}

function RelativeTime({ at }: { at: string }) {
  return <Time at={at} show="distance" />
}
