import { formatPrice, merchandise, type ReplyOf, site } from '@dubplate/contract'
import { saveProduct } from '@dubplate/contract/schemas/merchandise'
import { Alert, Anchor, Box, Checkbox, Code, Group, Image, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconExternalLink, IconPencil, IconRefresh, IconShoppingBag, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { MainCell, Status } from '../../admin/cells.tsx'
import { CurrencyInput } from '../../admin/formFields.tsx'
import { OrderedList } from '../../admin/OrderedList.tsx'
import { PictureInput, usePicture } from '../../admin/PictureInput.tsx'
import { QuickSwitch } from '../../admin/QuickSwitch.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { formatExactDate } from '../../format/format.ts'
import { format, rich } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { imageAt } from '../../platform/media.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { trimmedText } from '../../platform/search-fields.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { upload } from '../../platform/upload.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import noPicture from '../../site/no-picture.svg'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { inputOf, newProduct, usualCurrency, validatePrice, valuesOf } from './productValues.ts'
import * as texts from './texts.ts'

type Product = merchandise.StaffProduct
type Store = NonNullable<ReplyOf<typeof merchandise.getProducts>['store']>

/** In the URL: a new product is being written; otherwise the number of the one that is open. */
const NEW = 'new'

const LISTS = [merchandise.getProducts, site.getProducts]

const isOwn = ({ source }: Product) => source === 'staff'

/** The pool's merchandise: its own products in their order, and those of its store. */
export function MerchandisePage() {
  const query = useApiQuery(merchandise.getProducts, {})
  const { data } = query
  const { search, change } = useTableSearch({ open: trimmedText })
  const [deleting, setDeleting] = useState<Product>()
  const remove = useApiMutation(merchandise.removeProduct, { invalidates: LISTS })
  const own = data?.products.filter(isOwn)
  const open = own?.find(({ product_id }) => String(product_id) === search.open)
  const openProduct = ({ product_id }: Product) => change({ open: product_id })
  const close = () => change({ open: undefined })
  return (
    <TablePage
      total={own?.length}
      actions={
        <Button variant="primary" onClick={() => change({ open: NEW })}>
          {texts.newProduct}
        </Button>
      }
      panel={
        own &&
        (open || search.open === NEW) && (
          <SidePanel label={open?.title ?? texts.newProduct} onClose={close}>
            <ProductForm
              key={open?.product_id ?? NEW}
              product={open}
              currency={open?.currency ?? usualCurrency(own)}
              onClose={close}
            />
          </SidePanel>
        )
      }
    >
      <OrderedList
        name={texts.yourProducts}
        items={own}
        query={query}
        errorTitle={texts.couldntLoadMerchandise}
        order={{
          list: merchandise.getProducts,
          itemsOf: ({ products }) => products.filter(isOwn),
          withItems: (reply, items) => ({
            ...reply,
            products: [...items, ...reply.products.filter((product) => !isOwn(product))],
          }),
          nameOf: ({ title }) => title,
          save: (items) =>
            callApi(merchandise.orderProducts, { product_ids: items.map(({ product_id }) => product_id) }),
          invalidates: [site.getProducts],
        }}
        idOf={({ product_id }) => product_id}
        openId={open?.product_id}
        onOpen={openProduct}
        details={(product) => <PublishedSwitch product={product} />}
        actions={[
          { label: texts.edit, icon: IconPencil, run: openProduct },
          {
            label: texts.openLink,
            icon: IconExternalLink,
            run: ({ url }) => void window.open(url, '_blank', 'noopener,noreferrer'),
          },
          { label: texts.deleteButton, icon: IconTrash, isDanger: true, run: setDeleting },
        ]}
        empty={{
          icon: <IconShoppingBag size={24} />,
          title: texts.noProductsYet,
          text: texts.addProductsThatLinkTo,
        }}
        footer={
          data?.store ? (
            <StoreProducts store={data.store} products={data.products.filter((product) => !isOwn(product))} />
          ) : (
            <Text c="var(--text-2)" mt="xl">
              {rich(texts.toListProductsFromShopify, { code: (inside) => <Code>{inside}</Code> })}
            </Text>
          )
        }
      >
        {(product) => <ProductCell product={product} />}
      </OrderedList>
      {deleting && (
        <ConfirmDialog
          title={texts.deleteProduct}
          what={format(texts.andItsPictureWillBe, { title: deleting.title })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={async () => {
            await remove.mutateAsync({ product_id: deleting.product_id })
            void toast({ message: format(texts.titleDeleted, { title: deleting.title }) })
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </TablePage>
  )
}

/** A bag icon replaces a picture that fails to load. */
const ProductPicture = ({ image, size }: { image: string; size: number }) => (
  <Image
    src={imageAt(image, 320)}
    fallbackSrc={noPicture}
    alt=""
    {...{ w: size, h: size }}
    flex="none"
    bg="var(--surface-3)"
    radius={0}
  />
)

/** A product's picture, title, price and the host of its link. */
const ProductCell = ({ product: { title, image, url, price_minor, currency } }: { product: Product }) => (
  <MainCell
    picture={<ProductPicture image={image} size={40} />}
    title={title}
    text={[
      price_minor === null || !currency ? texts.noPrice : formatPrice(price_minor, currency),
      URL.canParse(url) ? new URL(url).host : url,
    ].join(' · ')}
  />
)

const PublishedSwitch = ({ product }: { product: Product }) => (
  <QuickSwitch
    name={format(texts.publishedLabel, { title: product.title })}
    label={texts.published}
    isOn={product.is_published}
    errorTitle={format(texts.couldntSave, { title: product.title })}
    save={async (is_published) => {
      await callApi(merchandise.saveProduct, inputOf({ ...valuesOf(product), is_published }))
      await refreshReplies(LISTS)
    }}
  />
)

function ProductForm({
  product,
  currency,
  onClose,
}: {
  product: Product | undefined
  currency: string
  onClose: () => void
}) {
  const chosen = usePicture()
  const form = useResourceForm({
    call: saveProduct,
    draftName: `product.${product?.product_id ?? NEW}`,
    values: product ? valuesOf(product) : newProduct(currency),
    toInput: inputOf,
    fieldNames: { price_minor: 'price' },
    validate: validatePrice,
    invalidates: LISTS,
    save: async (send, setValues) => {
      const { product } = await send()
      // If only its picture fails, the new product is not created again.
      setValues({ product_id: product.product_id })
      await chosen.upload((picture, onProgress) => sendPicture(product.product_id, picture, onProgress))
      return product
    },
    onSaved: ({ title }) => {
      void toast({ message: format(texts.titleSaved, { title }) })
      onClose()
    },
  })
  const picture = chosen.url ?? product?.image
  const title = product ? texts.editProduct : texts.newProduct
  return (
    <ResourceForm form={form} label={title} onClose={onClose}>
      <Title order={2}>{title}</Title>
      <PictureInput chosen={chosen} hasPicture={picture !== undefined}>
        <Box
          w={96}
          h={96}
          bg="var(--surface-2)"
          style={{ flexShrink: 0, borderRadius: 'var(--r-md)', overflow: 'hidden' }}
        >
          {picture && <ProductPicture image={picture} size={96} />}
        </Box>
      </PictureInput>
      <TextInput label={texts.title} maxLength={120} data-autofocus autoComplete="off" {...form.field('title')} />
      <TextInput
        label={texts.productLink}
        maxLength={2000}
        autoComplete="off"
        spellCheck={false}
        {...form.field('url', texts.theProductsPageInThe)}
      />
      <Group grow align="start">
        <TextInput
          label={texts.price}
          inputMode="decimal"
          autoComplete="off"
          {...form.field('price', texts.leaveEmptyToShowNo)}
        />
        <CurrencyInput {...form.field('currency')} />
      </Group>
      <Checkbox label={texts.published} {...form.checkbox('is_published')} />
    </ResourceForm>
  )
}

async function sendPicture(productId: number, picture: File, onProgress: (share: number) => void) {
  const body = new FormData()
  body.append('product_id', String(productId))
  body.append('picture', picture)
  await upload(merchandise.uploadProductPicture, body, onProgress)
  await refreshReplies(LISTS)
}

/** Products of the store, read-only: they are changed in the store. */
function StoreProducts({ store, products }: { store: Store; products: readonly Product[] }) {
  const title = format(texts.productsFrom, { name: store.name })
  const sync = useApiMutation(merchandise.refreshStore, {
    invalidates: LISTS,
    success: () => ({ message: texts.storeProductsUpdated }),
    errorTitle: texts.couldntSyncWithTheStore,
  })
  return (
    <Stack component="section" aria-label={title} gap="md" mt="xl">
      <Group justify="space-between">
        <Title order={2}>{title}</Title>
        {/* A failed sync is recorded, too. */}
        <Button busy={sync.isPending} onClick={() => sync.mutate({}, { onError: () => void refreshReplies(LISTS) })}>
          {!sync.isPending && <IconRefresh size={16} aria-hidden />}
          {texts.refresh}
        </Button>
      </Group>
      <Text c="var(--text-2)">
        {format(texts.editTheseProductsIn, { name: store.name })} <LastSync store={store} />
      </Text>
      {store.last_error && (
        <Alert role="alert" color="var(--danger)">
          {store.last_error}
        </Alert>
      )}
      {products.length === 0 && <Text c="var(--text-2)">{texts.noProductsSyncedYet}</Text>}
      {products.map((product) => (
        <Group key={product.product_id} justify="space-between" wrap="nowrap">
          <Anchor href={product.url} target="_blank" rel="noopener noreferrer" c="inherit" miw={0}>
            <ProductCell product={product} />
          </Anchor>
          {!product.is_published && <Status>{texts.notAvailable}</Status>}
        </Group>
      ))}
    </Stack>
  )
}

function LastSync({ store: { refreshed_at, attempted_at } }: { store: Store }) {
  const now = useCurrentMinute()
  if (!attempted_at) return texts.notSyncedYet
  if (!refreshed_at) return format(texts.syncFailedLastAttempt, { attempted_at: formatTimeAgo(attempted_at, now) })
  const synced = {
    refreshed_at: formatTimeAgo(refreshed_at, now),
    time: (inside: ReactNode) => (
      <time dateTime={refreshed_at} title={formatExactDate(refreshed_at)}>
        {inside}
      </time>
    ),
  }
  return attempted_at > refreshed_at
    ? rich(texts.lastSyncedAndAttempted, { ...synced, attempted_at: formatTimeAgo(attempted_at, now) })
    : rich(texts.lastSynced, synced)
}
