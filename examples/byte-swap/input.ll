; ModuleID = 'swap.c'
source_filename = "swap.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.packet = type { [4 x i8], i64 }

; Function Attrs: noinline nounwind uwtable
define dso_local i64 @checksum(i8* noundef %bytes, i32 noundef %count) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %sum.0 = phi i64 [ 0, %entry ], [ %add, %for.inc ]
  %at.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %at.0, %count
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %mul = mul i64 %sum.0, 31
  %idxprom = sext i32 %at.0 to i64
  %arrayidx = getelementptr inbounds i8, i8* %bytes, i64 %idxprom
  %0 = load i8, i8* %arrayidx, align 1
  %conv = zext i8 %0 to i64
  %add = add i64 %mul, %conv
  br label %for.inc

for.inc:                                          ; preds = %for.body
  %inc = add nsw i32 %at.0, 1
  br label %for.cond, !llvm.loop !6

for.end:                                          ; preds = %for.cond
  ret i64 %sum.0
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @largest(i32* noundef %numbers, i32 noundef %count) #0 {
entry:
  %arrayidx = getelementptr inbounds i32, i32* %numbers, i64 0
  %0 = load i32, i32* %arrayidx, align 4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %most.0 = phi i32 [ %0, %entry ], [ %most.1, %for.inc ]
  %at.0 = phi i32 [ 1, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %at.0, %count
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = sext i32 %at.0 to i64
  %arrayidx1 = getelementptr inbounds i32, i32* %numbers, i64 %idxprom
  %1 = load i32, i32* %arrayidx1, align 4
  %cmp2 = icmp sgt i32 %1, %most.0
  br i1 %cmp2, label %if.then, label %if.end

if.then:                                          ; preds = %for.body
  %idxprom3 = sext i32 %at.0 to i64
  %arrayidx4 = getelementptr inbounds i32, i32* %numbers, i64 %idxprom3
  %2 = load i32, i32* %arrayidx4, align 4
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body
  %most.1 = phi i32 [ %2, %if.then ], [ %most.0, %for.body ]
  br label %for.inc

for.inc:                                          ; preds = %if.end
  %inc = add nsw i32 %at.0, 1
  br label %for.cond, !llvm.loop !8

for.end:                                          ; preds = %for.cond
  ret i32 %most.0
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @read_packet(%struct.packet* noundef %packet, i32* noundef %from, i32 noundef %kind) #0 {
entry:
  switch i32 %kind, label %sw.default [
    i32 0, label %sw.bb
    i32 1, label %sw.bb1
    i32 2, label %sw.bb3
  ]

sw.bb:                                            ; preds = %entry
  %sum = getelementptr inbounds %struct.packet, %struct.packet* %packet, i32 0, i32 1
  store i64 0, i64* %sum, align 8
  br label %sw.epilog

sw.bb1:                                           ; preds = %entry
  %call = call i32 @turned(i32* noundef %from)
  %conv = zext i32 %call to i64
  %sum2 = getelementptr inbounds %struct.packet, %struct.packet* %packet, i32 0, i32 1
  store i64 %conv, i64* %sum2, align 8
  br label %sw.epilog

sw.bb3:                                           ; preds = %entry
  %call4 = call i32 @turned(i32* noundef %from)
  %conv5 = zext i32 %call4 to i64
  %head = getelementptr inbounds %struct.packet, %struct.packet* %packet, i32 0, i32 0
  %arraydecay = getelementptr inbounds [4 x i8], [4 x i8]* %head, i64 0, i64 0
  %call6 = call i64 @checksum(i8* noundef %arraydecay, i32 noundef 4)
  %add = add i64 %conv5, %call6
  %sum7 = getelementptr inbounds %struct.packet, %struct.packet* %packet, i32 0, i32 1
  store i64 %add, i64* %sum7, align 8
  br label %sw.epilog

sw.default:                                       ; preds = %entry
  br label %return

sw.epilog:                                        ; preds = %sw.bb3, %sw.bb1, %sw.bb
  %sum8 = getelementptr inbounds %struct.packet, %struct.packet* %packet, i32 0, i32 1
  %0 = load i64, i64* %sum8, align 8
  %conv9 = trunc i64 %0 to i32
  br label %return

return:                                           ; preds = %sw.epilog, %sw.default
  %retval.0 = phi i32 [ -1, %sw.default ], [ %conv9, %sw.epilog ]
  ret i32 %retval.0
}

; Function Attrs: noinline nounwind uwtable
define internal i32 @turned(i32* noundef %from) #0 {
entry:
  %0 = load i32, i32* %from, align 4
  %shr = lshr i32 %0, 24
  %shr1 = lshr i32 %0, 8
  %and = and i32 %shr1, 65280
  %or = or i32 %shr, %and
  %shl = shl i32 %0, 8
  %and2 = and i32 %shl, 16711680
  %or3 = or i32 %or, %and2
  %shl4 = shl i32 %0, 24
  %or5 = or i32 %or3, %shl4
  ret i32 %or5
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{i32 7, !"frame-pointer", i32 2}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
!8 = distinct !{!8, !7}
