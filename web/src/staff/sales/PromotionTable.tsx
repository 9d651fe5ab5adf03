import { coupons } from '@dubplate/contract'
import { IconDownload, IconTicket, IconTicketOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { DateCell, MainCell } from '../../admin/cells.tsx'
import { downloadFile } from '../../admin/downloadFile.ts'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { count } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { formatSums } from './subscriptionTexts.ts'
import * as texts from './texts.ts'

type Promotion = coupons.Promotion

const COLUMNS: Column<Promotion>[] = [
  {
    id: 'promotion',
    header: texts.promotion,
    width: 'auto',
    cell: ({ title, description }) => <MainCell title={title} text={description} />,
  },
  { id: 'codes', header: texts.codes, width: 90, isNumeric: true, cell: ({ codes }) => count(codes) },
  { id: 'active', header: texts.active, width: 90, isNumeric: true, cell: ({ open }) => count(open) },
  { id: 'uses', header: texts.uses, width: 90, isNumeric: true, showFrom: 640, cell: ({ uses }) => count(uses) },
  {
    id: 'discounts',
    header: texts.discounts,
    width: 150,
    isNumeric: true,
    showFrom: 720,
    cell: ({ discounts }) => formatSums(discounts, '–'),
  },
  {
    id: 'created',
    header: texts.created,
    width: 124,
    isNumeric: true,
    showFrom: 820,
    cell: ({ created_at }) => <DateCell at={created_at} />,
  },
]

type Props = {
  promotions: readonly Promotion[] | undefined
  query: { isPlaceholderData: boolean; error: Error | null; refetch: () => unknown }
  /** Shows the codes of a promotion. */
  onOpen: (promotion: Promotion) => void
  newButton: ReactNode
}

/** Batches of codes with the same terms: how many were used, and what they cost. */
export function PromotionTable({ promotions, query, onOpen, newButton }: Props) {
  const [ending, setEnding] = useState<Promotion>()
  const end = useApiMutation(coupons.endPromotion, {
    invalidates: [coupons.getCoupons],
    success: ({ promotion: { title } }) => ({ message: format(texts.allCodesOfDeactivated, { title }) }),
  })
  return (
    <>
      <ResourceTable
        name={texts.promotions}
        columns={COLUMNS}
        rows={promotions}
        pagination={undefined}
        query={query}
        errorTitle={texts.couldntLoadPromotions}
        idOf={({ promotion_id }) => promotion_id}
        labelOf={({ title }) => title}
        narrowRow={({ title, description, codes, open }) => ({
          start: <MainCell title={title} text={description} />,
          end: <MainCell title={format(texts.codesCount, { codes })} text={format(texts.activeCount, { open })} />,
        })}
        onOpen={onOpen}
        onPage={() => {}}
        rowActions={[
          { label: texts.showCodes, icon: IconTicket, run: onOpen },
          {
            label: texts.downloadCsv,
            icon: IconDownload,
            run: ({ promotion_id }) =>
              void downloadFile(coupons.getCodesFile, { promotion_id }, texts.couldntCreateTheFile),
          },
          {
            label: texts.deactivateAll,
            icon: IconTicketOff,
            isDanger: true,
            isAvailable: ({ open }) => open > 0,
            run: setEnding,
          },
        ]}
        empty={{
          icon: <IconTicket size={24} />,
          title: texts.noPromotionsYet,
          text: texts.generateSingleUseCodesWith,
          action: newButton,
        }}
      />
      {ending && (
        <ConfirmDialog
          title={format(texts.deactivatePromotionQuestion, { title: ending.title })}
          what={format(texts.codesWillStopWorkingExisting, { open: ending.open })}
          confirmLabel={texts.deactivateAll}
          isDanger
          onConfirm={() => end.mutateAsync({ promotion_id: ending.promotion_id })}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  )
}
