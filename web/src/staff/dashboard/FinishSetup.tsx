import type { dashboard, ReplyOf } from '@dubplate/contract'
import { Button, Divider, Group, Progress, Stack, Text } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { PageSection } from '../../admin/PageSection.tsx'
import { format } from '../../format/message.ts'
import type { PageLink } from './attentionItems.ts'
import * as texts from './texts.ts'

type Step = {
  title: string
  /** Why it is needed, or how it is done. */
  text: string
  action: string
  link: PageLink
  /** Its name in the line of finished steps. */
  doneName: string
}

const STEPS: Record<dashboard.SetupStep, Step> = {
  mail: {
    title: texts.setUpEmail,
    text: texts.setSmtpUrlAndRestart,
    action: texts.viewEmail,
    link: { to: '/staff/outgoing-mail' },
    doneName: texts.email,
  },
  payments: {
    title: texts.setUpPayments,
    text: texts.setGatewaysAndRestart,
    action: texts.viewProviders,
    link: { to: '/staff/settings', search: { view: 'payments' } },
    doneName: texts.payments,
  },
  plans: {
    title: texts.publishAPlan,
    text: texts.membersNeedAPlanBefore,
    action: texts.createPlan,
    link: { to: '/staff/plans' },
    doneName: texts.plans,
  },
  backup: {
    title: texts.runYourFirstBackup,
    text: texts.untilThenAFailedDisk,
    action: texts.backUp,
    link: { to: '/staff/storage' },
    doneName: texts.backup,
  },
  music: {
    title: texts.importMusic,
    text: texts.importAFolderOfMp3,
    action: texts.importMusic,
    link: { to: '/staff/import' },
    doneName: texts.ownMusic,
  },
  name: {
    title: texts.nameYourSite,
    text: texts.theNameAppearsOnEvery,
    action: texts.setNameAndLogo,
    link: { to: '/staff/appearance' },
    doneName: texts.nameAndLogo,
  },
  terms: {
    title: texts.publishYourTerms,
    text: texts.newMembersAcceptThem,
    action: texts.writeTerms,
    link: { to: '/staff/pages', search: { open: 'terms' } },
    doneName: texts.terms,
  },
}

type Props = Pick<ReplyOf<typeof dashboard.getAttentionItems>, 'steps'>

/** What a pool needs before members arrive: what is missing, each with its button, and in one line what is done. */
export function FinishSetup({ steps }: Props) {
  const missing = steps.filter(({ is_done }) => !is_done)
  const done = steps.filter(({ is_done }) => is_done)
  const progress = format(texts.doneOfTotal, { done: done.length, total: steps.length })
  return (
    <PageSection
      title={texts.finishSettingUp}
      actions={
        <Text fz="sm" c="var(--text-2)">
          {progress}
        </Text>
      }
    >
      <Progress value={(done.length / steps.length) * 100} size={4} color="var(--accent-ink)" aria-label={progress} />
      <Stack component="ol" gap={0} aria-label={texts.finishSettingUp}>
        {missing.map(({ step }, n) => (
          <Fragment key={step}>
            {n > 0 && <Divider component="li" aria-hidden color="var(--line)" />}
            <MissingStep step={STEPS[step]} isNext={n === 0} />
          </Fragment>
        ))}
      </Stack>
      {done.length > 0 && (
        <div>
          <Divider color="var(--line)" />
          <Group gap="md" wrap="nowrap" pt="md">
            <IconCheck size={18} stroke={2} color="var(--ok)" aria-hidden style={{ flex: 'none' }} />
            <Text fz="sm" c="var(--text-2)">
              <span className="sr">{texts.donePrefix}</span>
              {done.map(({ step }) => STEPS[step].doneName).join(' · ')}
            </Text>
          </Group>
        </div>
      )}
    </PageSection>
  )
}

function MissingStep({ step: { title, text, action, link }, isNext }: { step: Step; isNext: boolean }) {
  const { to, search } = link
  return (
    <Group component="li" gap="md" py="sm" mih={57}>
      <Group gap="md" wrap="nowrap" align="flex-start" flex="1 1 280px">
        <IconCircleDashed
          size={18}
          stroke={1.8}
          color="var(--text-3)"
          aria-hidden
          style={{ flex: 'none', marginTop: 1 }}
        />
        <div>
          <Text fz="md" fw={580}>
            {title}
          </Text>
          <Text fz="sm" c="var(--text-2)">
            {text}
          </Text>
        </div>
      </Group>
      <Button
        variant={isNext ? 'filled' : 'default'}
        miw={144}
        w={{ base: '100%', sm: 'auto' }}
        renderRoot={(props) => <Link {...props} to={to} search={(search ?? {}) as never} />}
      >
        {action}
      </Button>
    </Group>
  )
}
