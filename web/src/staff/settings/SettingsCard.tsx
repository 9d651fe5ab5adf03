import { Badge, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageSection } from '../../admin/PageSection.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import type { FormFrame } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import type { Everything } from './settingsGroup.ts'
import * as texts from './texts.ts'

type State = Everything['groups']['name']

type FrameProps = {
  title: string
  description: ReactNode
  /** When the group was last changed, and who changed it. */
  state: State
  isOverridden: boolean
  /** Where its values come from if it is not set here. */
  origin?: string
  children: ReactNode
}

/** A group of settings: its title, what it is about, and where its values come from. */
export const SettingsFrame = (props: FrameProps) => {
  const { title, description, state, isOverridden, origin = texts.setByEnvironment, children } = props
  return (
    <PageSection
      title={title}
      actions={
        <Badge variant="default" color={isOverridden ? 'var(--accent-ink)' : 'var(--text-2)'} tt="none">
          {isOverridden ? texts.custom : origin}
        </Badge>
      }
    >
      <Text fz="sm" c="var(--text-2)" maw="72ch">
        {description} {describeChange(state)}
      </Text>
      {children}
    </PageSection>
  )
}

function describeChange({ changed_at, changed_by }: State): string {
  if (!changed_at) return ''
  const time = formatExactDate(changed_at)
  return changed_by ? format(texts.lastChangedBy, { time, by: changed_by }) : format(texts.lastChanged, { time })
}

type Props = FrameProps & {
  group: { form: FormFrame; reset: () => void; isResetting: boolean }
  /** The environment's value, for the button that resets the group to it. */
  initialValue: string
}

/** A group of settings with its form. */
export const SettingsCard = ({ group: { form, reset, isResetting }, initialValue, children, ...frame }: Props) => (
  <SettingsFrame {...frame}>
    <ResourceForm
      form={form}
      label={frame.title}
      actions={
        frame.isOverridden && (
          <Button busy={isResetting} disabled={form.isBusy} onClick={reset}>
            {format(texts.resetTo, { first: initialValue })}
          </Button>
        )
      }
    >
      {children}
    </ResourceForm>
  </SettingsFrame>
)
