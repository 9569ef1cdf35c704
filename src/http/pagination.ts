import { type TSchema, Type } from '@sinclair/typebox';
import { ApiError } from '../errors.js';

/** Query of every list. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many to give at most' }),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before' })),
};

export function pageOf(item: TSchema) {
  return Type.Object({
    data: Type.Array(item),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' }),
  });
}

/** A page out of `limit + 1` items asked for; the cursor is the id of its last one. */
export function toPage<Item>(
  items: Item[],
  limit: number,
  idOf: (item: Item) => string,
  show: (item: Item) => object,
) {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  const next_cursor =
    items.length > limit && last !== undefined ? Buffer.from(idOf(last)).toString('base64url') : null;
  return { data: page.map(show), next_cursor };
}

/** The id in a cursor. Throws ApiError invalid_parameter when it is none of ours. */
export function idFromCursor(cursor: string | undefined, prefix: string): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (id.startsWith(prefix)) return id;
  throw new ApiError(
    'invalid_parameter',
    'The cursor is not one that this list gave out. Take next_cursor of the page before, or none.',
    {
      param: 'cursor',
    },
  );
}
