/** What tests run on: CI takes few items, `npm run test:night` takes many. */
export function atNight<Items>(items: Items, itemsAtNight: Items): Items {
  return process.env.NIGHT ? itemsAtNight : items;
}
