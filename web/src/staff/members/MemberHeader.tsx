import { ActionIcon, Alert, Breadcrumbs, Button, Group, Menu, Text, Title } from '@mantine/core'
import {
  IconArrowBackUp,
  IconBan,
  IconDots,
  IconEye,
  IconLogout,
  IconMail,
  IconShield,
  IconUsersGroup,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Status } from '../../admin/cells.tsx'
import { formatDate } from '../../format/dates.ts'
import { format } from '../../format/message.ts'
import { Avatar } from '../../membership/account/Avatar.tsx'
import { useSession } from '../../platform/session.ts'
import { allowedActions, type MemberData, statusOf } from './memberStatus.ts'
import * as texts from './texts.ts'
import { viewAsMember } from './viewAsMember.ts'

/** The actions that ask something first. */
export type ActionName = 'group' | 'sign-out' | 'role' | 'suspend' | 'lift'

type Props = { data: MemberData; onAction: (action: ActionName) => void }

const stateOf = ({ status, staff_role, application }: MemberData['member']) =>
  statusOf({ status, staff_role, application: application?.state ?? null })

/** A member's name and status, and the actions the caller's role allows. */
export function MemberHeader({ data, onAction }: Props) {
  const { member } = data
  const { dj_name, email, name, profile_picture, status } = member
  const { text, tone } = stateOf(member)
  return (
    <>
      <Breadcrumbs fz="sm" c="var(--text-2)" aria-label={texts.breadcrumb} component="nav">
        <Link to="/staff/members">{texts.members}</Link>
        <span aria-current="page">{dj_name}</span>
      </Breadcrumbs>
      <Group component="header" gap="lg" my="md" justify="space-between">
        <Group gap="lg" wrap="nowrap" miw={0}>
          <Avatar name={dj_name} picture={profile_picture} size_px={56} />
          <div style={{ minWidth: 0 }}>
            <Group gap="md" fz="sm">
              <Title order={1}>{dj_name}</Title>
              <Status tone={tone}>{text}</Status>
            </Group>
            <Text c="var(--text-2)" style={{ overflowWrap: 'anywhere' }}>
              {[name, status === 'deleted' ? texts.accountDeleted : email].filter(Boolean).join(' · ')}
            </Text>
          </div>
        </Group>
        <MemberButtons data={data} onAction={onAction} />
      </Group>
      {member.bounces && <BounceWarning bounces={member.bounces} />}
    </>
  )
}

type MenuAction = { action: ActionName; label: string; icon: TablerIcon; isAllowed: boolean; isDanger?: boolean }

function MemberButtons({ data: { member }, onAction }: Props) {
  const me = useSession(({ profile }) => profile)
  const [isOpening, setOpening] = useState(false)
  if (!me?.staff_role || member.status === 'deleted') return null
  const caller = { customer_id: me.customer_id, staff_role: me.staff_role }
  const { canView, canChange, canSuspend, canChangeRole } = allowedActions(member, caller)
  const isSuspended = member.status === 'suspended'
  const actions: MenuAction[] = [
    { action: 'group', label: texts.changeGroupMenuItem, icon: IconUsersGroup, isAllowed: canChange },
    { action: 'sign-out', label: texts.signOutEverywhereMenuItem, icon: IconLogout, isAllowed: canChange },
    { action: 'role', label: texts.changeRoleMenuItem, icon: IconShield, isAllowed: canChangeRole },
    {
      action: 'lift',
      label: texts.liftSuspensionMenuItem,
      icon: IconArrowBackUp,
      isAllowed: canChange && isSuspended,
    },
    {
      action: 'suspend',
      label: texts.suspendMenuItem,
      icon: IconBan,
      isAllowed: canSuspend && !isSuspended,
      isDanger: true,
    },
  ]
  const allowed = actions.filter(({ isAllowed }) => isAllowed)
  const stretched = { base: '1 1 auto', sm: 'none' }
  return (
    <Group gap="sm" wrap="nowrap" w={{ base: '100%', sm: 'auto' }}>
      <Button
        component="a"
        href={`mailto:${member.email}`}
        variant="default"
        flex={stretched}
        px="md"
        leftSection={<IconMail size={16} stroke={1.8} />}
      >
        {texts.sendEmail}
      </Button>
      {canView && (
        <Button
          variant="default"
          flex={stretched}
          px="md"
          leftSection={<IconEye size={16} stroke={1.8} />}
          disabled={isOpening}
          onClick={() => {
            setOpening(true)
            void viewAsMember(member.customer_id).finally(() => setOpening(false))
          }}
        >
          {texts.viewAsMember}
        </Button>
      )}
      {allowed.length > 0 && (
        <Menu position="bottom-end" width={220} shadow="none">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={texts.moreActions}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {allowed.map(({ action, label, icon: Icon, isDanger }) => (
              <Menu.Item
                key={action}
                leftSection={<Icon size={16} stroke={1.8} />}
                {...(isDanger && { c: 'var(--danger)' })}
                onClick={() => onAction(action)}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {!canChange && member.staff_role && me.staff_role === 'support' && (
        <Text fz="sm" c="var(--text-2)">
          {texts.onlyAdminsCanEditStaff}
        </Text>
      )}
    </Group>
  )
}

const BounceWarning = ({ bounces }: { bounces: NonNullable<MemberData['member']['bounces']> }) => (
  <Alert color="var(--warn)" variant="light" mb="md" p="sm">
    <Text fz="sm" c="var(--warn)">
      {format(bounces.hard > 0 ? texts.emailBouncedThereIsNo : texts.emailCouldNotBeDelivered, {
        count: bounces.hard + bounces.soft,
        last_at: formatDate(bounces.last_at),
      })}
    </Text>
    {bounces.detail && (
      <Text fz="xs" c="var(--text-2)">
        {bounces.detail}
      </Text>
    )}
  </Alert>
)
