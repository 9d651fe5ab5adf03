import { coupons } from '@dubplate/contract'
import { Code } from '@mantine/core'
import { IconPencil, IconTicket, IconTicketOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { MainCell, Status, type Tone } from '../../admin/cells.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { FilterMenu, TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { formatDate } from '../../format/dates.ts'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CouponForm, PromotionForm, planNames } from './CouponForm.tsx'
import { PromotionTable } from './PromotionTable.tsx'
import { formatSums } from './subscriptionTexts.ts'
import * as texts from './texts.ts'

type Coupon = coupons.Coupon & { plans: string }

/** In the URL: a new coupon or promotion is being written; otherwise the number of the coupon that is open. */
const NEW = 'new'

const VIEWS = ['all', ...coupons.COUPON_STATES, 'promotions'] as const

const VIEW_NAMES: Record<(typeof VIEWS)[number], string> = {
  all: texts.all,
  active: texts.active,
  scheduled: texts.scheduled,
  ended: texts.expired,
  promotions: texts.promotions,
}

const TONES: Record<Coupon['state'], Tone> = { active: 'ok', scheduled: 'warning', ended: 'neutral' }

const StatusCell = ({ state }: Coupon) => <Status tone={TONES[state]}>{VIEW_NAMES[state]}</Status>

const CodeCell = ({ code, description }: Coupon) => <MainCell title={<Code>{code}</Code>} text={description} />

/** '3 of 5 uses' */
function usesText({ uses, max_uses }: Coupon): string {
  return max_uses === null ? format(texts.usesCount, { uses }) : format(texts.ofUses, { uses, max_uses })
}

/** 'from 1 Dec 2026 · until 24 Dec 2026' */
function datesText({ starts_at, ends_at }: Coupon): string {
  const from = starts_at ? format(texts.from, { starts_at: formatDate(starts_at) }) : ''
  const until = ends_at ? format(texts.endsAt, { ends_at: formatDate(ends_at) }) : ''
  return [from, until].filter(Boolean).join(' · ')
}

const COLUMNS: Column<Coupon>[] = [
  { id: 'code', header: texts.code, width: 'auto', cell: CodeCell },
  {
    id: 'plans',
    header: texts.plans,
    width: 170,
    showFrom: 760,
    cell: ({ plans, promotion }) => <MainCell title={plans} text={promotion?.title} />,
  },
  { id: 'status', header: texts.status, width: 124, cell: StatusCell },
  {
    id: 'uses',
    header: texts.uses,
    width: 220,
    showFrom: 620,
    cell: (coupon) => <MainCell title={usesText(coupon)} text={datesText(coupon)} />,
  },
  {
    id: 'discounts',
    header: texts.discounts,
    width: 150,
    isNumeric: true,
    showFrom: 900,
    cell: ({ discounts }) => formatSums(discounts, '–'),
  },
]

/** Coupons, and promotions: batches of codes. */
export function Coupons() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(VIEWS),
    find: trimmedText,
    promotion: positiveInteger,
    open: trimmedText,
  })
  const { page = 1, state: view = 'all', find, promotion } = search
  const isCoupons = view !== 'promotions'
  const state = isCoupons && view !== 'all' ? view : undefined
  const input = { page, search: find ?? '', promotion_id: promotion, ...(state && { state }) }
  const query = useApiQuery(coupons.getCoupons, input, { keepPrevious: true })
  const { data } = query
  const rows = useMemo(
    () => data?.coupons.map((coupon) => ({ ...coupon, plans: planNames(data.plans, coupon.plan_ids ?? []) })),
    [data],
  )
  const open = isCoupons ? rows?.find(({ coupon_id }) => String(coupon_id) === search.open) : undefined
  const [endingId, setEndingId] = useState<number>()
  const ending = rows?.find(({ coupon_id }) => coupon_id === endingId)
  const end = useApiMutation(coupons.endCoupon, {
    success: ({ coupon: { code } }) => ({ message: format(texts.deactivated, { code }) }),
  })
  const openCoupon = ({ coupon_id }: Coupon) => change({ open: coupon_id, page: search.page })
  const close = () => change({ open: undefined, page: search.page })
  const newLabel = isCoupons ? texts.newCoupon : texts.newPromotion
  const newButton = (
    <Button variant="primary" disabled={!data} onClick={() => change({ open: NEW, page: search.page })}>
      {newLabel}
    </Button>
  )
  const isFiltered = [state, find, promotion].some(Boolean)
  return (
    <TablePage
      total={isCoupons ? data?.pagination.totalCount : data?.promotions.length}
      actions={newButton}
      top={
        <ViewTabs
          label={texts.couponStatus}
          views={VIEWS.map((value) => ({
            value,
            name: VIEW_NAMES[value],
            count: value === 'promotions' ? data?.promotions.length : data?.counts[value as keyof typeof data.counts],
          }))}
          current={view}
          onChange={(state) =>
            change({
              state: state === 'all' ? undefined : state,
              open: undefined,
              ...(state === 'promotions' && { promotion: undefined, find: undefined }),
            })
          }
        />
      }
      panel={
        data &&
        (open || search.open === NEW) && (
          <SidePanel label={open?.code ?? newLabel} onClose={close}>
            {isCoupons ? (
              <CouponForm key={open?.coupon_id ?? NEW} coupon={open} plans={data.plans} onClose={close} />
            ) : (
              <PromotionForm plans={data.plans} onClose={close} />
            )}
          </SidePanel>
        )
      }
    >
      {isCoupons ? (
        <ResourceTable
          name={texts.coupons}
          columns={COLUMNS}
          rows={rows}
          pagination={data?.pagination}
          query={query}
          errorTitle={texts.couldntLoadCoupons}
          idOf={({ coupon_id }) => coupon_id}
          labelOf={({ code }) => code}
          narrowRow={(coupon) => ({
            start: <CodeCell {...coupon} />,
            end: <MainCell title={<StatusCell {...coupon} />} text={usesText(coupon)} />,
          })}
          onOpen={openCoupon}
          openId={open?.coupon_id}
          onPage={(page) => change({ page })}
          rowActions={[
            { label: texts.edit, icon: IconPencil, run: openCoupon },
            {
              label: texts.deactivateMenuItem,
              icon: IconTicketOff,
              isDanger: true,
              isAvailable: ({ state }) => state !== 'ended',
              run: ({ coupon_id }) => setEndingId(coupon_id),
            },
          ]}
          toolbar={
            <TableToolbar
              searchLabel={texts.searchByStartOfCode}
              search={find}
              onSearch={(find) => change({ find }, { replace: true })}
            >
              <FilterMenu
                label={texts.promotion}
                options={(data?.promotions ?? []).map(({ promotion_id, title }) => ({
                  value: String(promotion_id),
                  name: title,
                }))}
                value={promotion === undefined ? undefined : String(promotion)}
                onChange={(promotion) => change({ promotion: promotion && Number(promotion) })}
              />
            </TableToolbar>
          }
          empty={{
            icon: <IconTicket size={24} />,
            title: isFiltered ? texts.noMatchingCoupons : texts.noCouponsYet,
            text: isFiltered ? texts.searchMatchesTheStartOf : texts.couponsGiveADiscountOn,
          }}
        />
      ) : (
        <PromotionTable
          promotions={data?.promotions}
          query={query}
          onOpen={({ promotion_id }) => change({ state: undefined, open: undefined, promotion: promotion_id })}
          newButton={newButton}
        />
      )}
      {ending && (
        <ConfirmDialog
          title={format(texts.deactivateCodeQuestion, { code: ending.code })}
          what={texts.newCustomersCantUseIt}
          confirmLabel={texts.deactivate}
          isDanger
          onConfirm={() =>
            end
              .mutateAsync({ coupon_id: ending.coupon_id, version: ending.version })
              .finally(() => refreshReplies([coupons.getCoupons]))
          }
          onClose={() => setEndingId(undefined)}
        />
      )}
    </TablePage>
  )
}
