package eventlogtest_test

import (
	"context"
	"iter"

	"forgetmenot/eventlog"
)

// A bent store is a right one with some of its methods replaced.
type bent struct {
	eventlog.Store
	create   func(ctx context.Context, id, title string) (eventlog.Session, error)
	session  func(ctx context.Context, id string) (eventlog.Session, error)
	sessions func(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error]
	append   func(ctx context.Context, id string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error)
	events   func(ctx context.Context, id string, r eventlog.Range) events
	all      func(ctx context.Context, r eventlog.Range) events
	messages func(ctx context.Context, id string, r eventlog.Range) iter.Seq2[eventlog.StoredMessage, error]
	calls    func(ctx context.Context, id string) iter.Seq2[eventlog.ToolCallState, error]
	watch    func(ctx context.Context, after int64) events
	close    func() error
}

type events = iter.Seq2[eventlog.StoredEvent, error]

func (b *bent) CreateSession(ctx context.Context, id, title string) (eventlog.Session, error) {
	if b.create != nil {
		return b.create(ctx, id, title)
	}
	return b.Store.CreateSession(ctx, id, title)
}

func (b *bent) Session(ctx context.Context, id string) (eventlog.Session, error) {
	if b.session != nil {
		return b.session(ctx, id)
	}
	return b.Store.Session(ctx, id)
}

func (b *bent) Sessions(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
	if b.sessions != nil {
		return b.sessions(ctx, order, after)
	}
	return b.Store.Sessions(ctx, order, after)
}

func (b *bent) Append(ctx context.Context, id string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	if b.append != nil {
		return b.append(ctx, id, events, o)
	}
	return b.Store.Append(ctx, id, events, o)
}

func (b *bent) Events(ctx context.Context, id string, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	if b.events != nil {
		return b.events(ctx, id, r)
	}
	return b.Store.Events(ctx, id, r)
}

func (b *bent) All(ctx context.Context, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	if b.all != nil {
		return b.all(ctx, r)
	}
	return b.Store.All(ctx, r)
}

func (b *bent) Messages(ctx context.Context, id string, r eventlog.Range) iter.Seq2[eventlog.StoredMessage, error] {
	if b.messages != nil {
		return b.messages(ctx, id, r)
	}
	return b.Store.Messages(ctx, id, r)
}

func (b *bent) ToolCalls(ctx context.Context, id string) iter.Seq2[eventlog.ToolCallState, error] {
	if b.calls != nil {
		return b.calls(ctx, id)
	}
	return b.Store.ToolCalls(ctx, id)
}

func (b *bent) Watch(ctx context.Context, after int64) iter.Seq2[eventlog.StoredEvent, error] {
	if b.watch != nil {
		return b.watch(ctx, after)
	}
	return b.Store.Watch(ctx, after)
}

func (b *bent) Close() error {
	if b.close != nil {
		return b.close()
	}
	return b.Store.Close()
}

// changed is an iterator with each of its items changed.
func changed[T any](seq iter.Seq2[T, error], change func(*T)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range seq {
			if err == nil {
				change(&item)
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// kept is an iterator with some of its items left out.
func kept[T any](seq iter.Seq2[T, error], keep func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range seq {
			if (err != nil || keep(item)) && !yield(item, err) {
				return
			}
		}
	}
}

// silent is an iterator that ends where it should tell an error.
func silent[T any](seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range seq {
			if err != nil || !yield(item, nil) {
				return
			}
		}
	}
}

// list is an iterator's items, or its error.
func list[T any](seq iter.Seq2[T, error]) ([]T, error) {
	var items []T
	for item, err := range seq {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// yielded is an iterator over what f gives.
func yielded[T any](f func() ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		items, err := f()
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
		if err != nil {
			var zero T
			yield(zero, err)
		}
	}
}
