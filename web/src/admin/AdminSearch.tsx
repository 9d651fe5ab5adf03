import { invoices, members, staffSongs, support } from '@dubplate/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFileInvoice, IconMessage, IconMusic, IconSettings, IconUser } from '@tabler/icons-react'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { type Command, type CommandGroup, CommandPalette } from '../ui/CommandPalette.tsx'
import { matchesOf } from '../ui/paletteMatches.ts'
import { canOpen, findAdminPage, pageGroupsFor } from './adminPages.ts'
import * as texts from './texts.ts'

const MAX_PER_GROUP = 4
/** Shorter texts only search pages and settings. */
const MIN_LENGTH = 2
const TYPING_PAUSE_MS = 200

/** Searches everything in the back office that the role of the current user includes. */
export function AdminSearch({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const words = typed.trim()
  const pages = { title: texts.pagesGroup, commands: matchesOf(usePageCommands(), words) }
  const settingCommands = useSettingCommands()
  const settings = { title: texts.settings, commands: words ? matchesOf(settingCommands, words) : [] }
  const { groups, isLoading } = useFoundGroups(words)
  return (
    <CommandPalette
      label={texts.searchBackOffice}
      placeholder={texts.searchPlaceholder}
      typed={typed}
      onType={setTyped}
      groups={[pages, ...groups, settings].map(({ title, commands }) => ({
        title,
        commands: words ? commands.slice(0, MAX_PER_GROUP) : commands,
      }))}
      isLoading={isLoading}
      onClose={onClose}
    />
  )
}

const useRole = () => useSession(({ profile }) => profile?.staff_role)

function usePageCommands(): Command[] {
  const navigate = useNavigate()
  const role = useRole()
  if (!role) return []
  return pageGroupsFor(role).flatMap((group) =>
    group.pages.map(({ to, name, icon }) => ({
      id: to,
      name,
      icon,
      ...(group.name ? { note: group.name } : {}),
      run: () => void navigate({ to }),
    })),
  )
}

/** What admins look for by name, and the page that has it. */
const SETTINGS: { name: string; keywords?: string; to: LinkProps['to'] & string; view?: string }[] = [
  { name: texts.siteName, to: '/staff/appearance' },
  { name: texts.logo, to: '/staff/appearance' },
  { name: texts.accentColour, keywords: texts.keywordsColour, to: '/staff/appearance' },
  { name: texts.publicBrowsing, keywords: texts.keywordsVisitors, to: '/staff/settings', view: 'site' },
  { name: texts.siteSections, keywords: texts.keywordsSections, to: '/staff/settings', view: 'site' },
  { name: texts.downloadLimits, keywords: texts.keywordsLimits, to: '/staff/settings', view: 'limits' },
  { name: texts.downloadFormats, keywords: texts.keywordsFormats, to: '/staff/settings', view: 'limits' },
  { name: texts.emailSender, keywords: texts.keywordsSender, to: '/staff/settings', view: 'mail' },
  { name: texts.store, keywords: texts.keywordsStore, to: '/staff/settings', view: 'mail' },
  { name: texts.paymentProviders, keywords: texts.keywordsPayments, to: '/staff/settings', view: 'payments' },
  { name: texts.environment, to: '/staff/settings', view: 'environment' },
  { name: texts.backups, keywords: texts.keywordsBackups, to: '/staff/storage' },
]

function useSettingCommands(): Command[] {
  const navigate = useNavigate()
  const role = useRole()
  return SETTINGS.filter(({ to }) => {
    const page = findAdminPage(to)
    return role && page && canOpen(role, page)
  }).map(({ name, keywords, to, view }) => ({
    id: `setting ${name}`,
    name,
    keywords,
    note: findAdminPage(to)?.name,
    icon: IconSettings,
    run: () => void navigate({ to, search: view ? { view } : {} } as LinkProps),
  }))
}

/** Songs, members, tickets and invoices that match, as far as the role includes them. */
function useFoundGroups(words: string): { groups: CommandGroup[]; isLoading: boolean } {
  const [search] = useDebouncedValue(words, TYPING_PAUSE_MS)
  const navigate = useNavigate()
  const role = useRole()
  const includes = (...roles: (typeof role)[]) =>
    search.length >= MIN_LENGTH && (role === 'admin' || roles.includes(role))
  const options = (...roles: (typeof role)[]) => ({ enabled: includes(...roles), keepPrevious: true })
  const songQuery = useApiQuery(staffSongs.getSongs, { find: search }, options('curator'))
  const memberQuery = useApiQuery(members.getMembers, { search }, options('support', 'billing'))
  const ticketQuery = useApiQuery(support.getQueue, { search, state: 'all' }, options('support'))
  const invoiceQuery = useApiQuery(invoices.getInvoices, { search }, options('billing'))
  const queries = [songQuery, memberQuery, ticketQuery, invoiceQuery]
  if (words.length < MIN_LENGTH) return { groups: [], isLoading: false }
  const songs = (songQuery.data?.songs ?? []).map(({ entity_id, title, artist }) => ({
    id: `song ${entity_id}`,
    name: title,
    note: artist,
    icon: IconMusic,
    run: () => void navigate({ to: '/staff/songs/$entityId', params: { entityId: entity_id } }),
  }))
  const people = (memberQuery.data?.members ?? []).map(({ customer_id, dj_name, email }) => ({
    id: `member ${customer_id}`,
    name: dj_name,
    note: email,
    icon: IconUser,
    run: () => void navigate({ to: '/staff/members/$customerId', params: { customerId: customer_id } }),
  }))
  const tickets = (ticketQuery.data?.tickets ?? []).map(({ ticket_number, subject, customer }) => ({
    id: `ticket ${ticket_number}`,
    name: format(texts.ticketResult, { ticket_number, subject }),
    note: customer.dj_name,
    icon: IconMessage,
    run: () => void navigate({ to: '/staff/tickets/$ticketNumber', params: { ticketNumber: ticket_number } }),
  }))
  const found = (invoiceQuery.data?.invoices ?? []).map(({ number, dj_name }) => ({
    id: `invoice ${number}`,
    name: number,
    note: dj_name,
    icon: IconFileInvoice,
    run: () => void navigate({ to: '/staff/invoices', search: { find: number } }),
  }))
  return {
    groups: [
      { title: texts.songs, commands: songs },
      { title: texts.members, commands: people },
      { title: texts.tickets, commands: tickets },
      { title: texts.invoices, commands: found },
    ],
    isLoading: search !== words || queries.some(({ isLoading }) => isLoading),
  }
}
